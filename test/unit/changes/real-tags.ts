/**
 * A line for each tag of a public repository: its repository, the tag, what the project's own
 * changelog or release notes compare it with (most link to `compare/BEFORE...TAG`), and some other
 * tags of that time. Of 4,781 such links in 24 repositories, 4,652 start at the tag that `tagBefore`
 * finds; most others leave out a version, or start a final version at its own pre-release.
 */
export const REAL_TAGS = `
vitejs/vite plugin-legacy@5.4.3 plugin-legacy@5.4.2 v5.4.2 create-vite@5.5.2
open-feature/flagd flagd-proxy/v0.6.0 flagd-proxy/v0.5.2 core/v0.5.4 flagd/v0.5.3
pgjdbc/pgjdbc REL42.2.10 REL42.2.9 REL42.2.1 REL9.4.1212 REL9_4_1206
sebastianbergmann/phpunit 9.6.20 9.6.19 10.5.24 11.2.5 8.5.39
composer/composer 2.0.0-RC1 2.0.0-alpha3 1.10.13 2.0.0-alpha2
kubernetes-sigs/gateway-api v1.5.0 v1.4.1 v1.5.0-rc.1 v1.4.0
vuejs/core v3.0.0 v3.0.0-rc.13 v3.0.0-rc.9 v3.0.0-beta.24
hibernate/hibernate-validator 4.0.2.GA 4.0.1.GA 4.0.0.GA
hibernate/hibernate-validator 5.3.6.SP1 5.3.6.Final 5.3.5.Final
puppetlabs/puppetlabs-apache v5.0.0 4.1.0 4.0.0 1.11.1
typescript-eslint/typescript-eslint v1.6.0 v1.5.0 1.5.0 v1.4.2
pgjdbc/pgjdbc REL42.0.0 REL9.4.1212 REL9.4.1211 REL9_4_1206
conventional-changelog/conventional-changelog conventional-changelog-angular-v5.0.13 conventional-changelog-angular@5.0.12 conventional-changelog-atom@2.0.8
conventional-changelog/conventional-changelog conventional-changelog-preset-loader-v3.0.0 conventional-changelog-preset-loader-v2.3.2 conventional-changelog-preset-loader@2.3.4
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));
