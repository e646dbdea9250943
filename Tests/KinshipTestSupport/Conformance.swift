// Random operations, their records and their models are in the library of the stores' suite. Tests
// import them along with the other support.
@_exported public import KinshipConformance
