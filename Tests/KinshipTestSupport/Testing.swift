// Random operations, their records and what they are held to are in the library of the stores'
// suite: tests get all of it with the rest of what supports them.
@_exported public import KinshipTesting
