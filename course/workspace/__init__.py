"""The learner's folder: handed out, remembered, imported, brought up to date."""
