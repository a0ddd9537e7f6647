"""The labelling window: one packet, one item at a time, without any project.

`window` is the frame (place, progress, undo, pause); what is asked about an item is a form, one for each kind of
study: `form` says what a form has to do, `forms` lists them, `desk` is the row of labels that forms share.
"""
