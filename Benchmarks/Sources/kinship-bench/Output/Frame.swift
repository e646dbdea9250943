/// A rectangle of a drawing.
struct Frame {
  let x: Double
  let y: Double
  let width: Double
  let height: Double

  var right: Double { x + width }
  var bottom: Double { y + height }
}
