// DialogueTests
