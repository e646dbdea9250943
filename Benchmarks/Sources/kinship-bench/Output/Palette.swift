/// Colours that people with any colour vision tell apart.
enum Palette {
  static let ink = "#222222"
  static let quiet = "#666666"
  static let grid = "#e4e4e4"
  static let bar = "#c1121f"
  static let baseline = "#222222"
  static let kinship = ["#0072b2", "#56b4e9", "#009e73"]
  static let others = ["#d55e00", "#cc79a7", "#e69f00"]
}
