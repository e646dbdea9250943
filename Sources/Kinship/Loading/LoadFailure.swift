/// An id that could not be loaded, and the error.
struct LoadFailure: Sendable {
  let ref: AnyRef
  let error: KinshipError
}
