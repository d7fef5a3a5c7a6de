// NetworkTests
