// IRCTests
