/// A person's sex, by the letters of GEDCOM.
enum Sex: String, Codable, Sendable {
  case male = "M"
  case female = "F"
  case other = "X"
  case unknown = "U"
}
