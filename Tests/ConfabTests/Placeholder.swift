// ConfabTests
