// Passwords
