// PasswordsTests
