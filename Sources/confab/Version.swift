/// The version of the program, as `confab --version` and CTCP VERSION tell it; CHANGELOG.md says what is in it.
let confabVersion = "0.1.0"
