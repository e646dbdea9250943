// The well-known names that Observation declares at its top level.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum Observable {}
public enum ObservationIgnored {}
public enum ObservationRegistrar {}
public enum ObservationTracked {}
public enum Observations {}
