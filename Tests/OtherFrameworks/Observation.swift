// What Observation declares at its top level, as far as it is well known: the names alone.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public enum Observable {}
public enum ObservationIgnored {}
public enum ObservationRegistrar {}
public enum ObservationTracked {}
public enum Observations {}
