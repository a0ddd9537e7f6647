"""The linter's rule and the reviewers' reason share the word `not_a_request`: what was waived or saved under the old
one goes on holding."""

SCRIPT = """
UPDATE lint_waiver SET rule = 'not_a_request' WHERE rule = 'not_request';
UPDATE lint_finding SET rule = 'not_a_request' WHERE rule = 'not_request';
UPDATE saved_filter SET content = replace(content, '"not_request"', '"not_a_request"');
"""
