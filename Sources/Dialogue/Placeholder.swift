// Dialogue
