/// What is done about damage in files.
public enum DamagePolicy: Hashable, Sendable {
  /// Nothing is read from a file that is damaged anywhere: the first damage that is found is thrown.
  case refuse
  /// What is whole is read, and all that is not is reported.
  case salvage
}
