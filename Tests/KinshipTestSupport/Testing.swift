// The product for testing has random operations, their records and scripted stores. Tests get all
// of it with the rest of what supports them.
@_exported public import KinshipTesting
