/// An id that could not be loaded, and why.
struct LoadFailure: Sendable {
  let ref: AnyRef
  let error: KinshipError
}
