"""What a person is doing at a screen, without the screen."""
