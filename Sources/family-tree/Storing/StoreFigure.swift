/// Something that can be counted in a store: what it has done, or how much there is.
struct StoreFigure: Sendable {
  let label: String
  let count: Int
}
