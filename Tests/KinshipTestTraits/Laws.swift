public import Testing

/// The laws that suites check: see the article of that name.
extension Tag {
  /// I1.
  @Tag public static var lawI1: Tag
  /// I2.
  @Tag public static var lawI2: Tag
  /// G1.
  @Tag public static var lawG1: Tag
  /// G2.
  @Tag public static var lawG2: Tag
  /// G3.
  @Tag public static var lawG3: Tag
  /// G4.
  @Tag public static var lawG4: Tag
  /// L1.
  @Tag public static var lawL1: Tag
  /// L2.
  @Tag public static var lawL2: Tag
  /// L3.
  @Tag public static var lawL3: Tag
  /// L4.
  @Tag public static var lawL4: Tag
  /// L5.
  @Tag public static var lawL5: Tag
  /// L6.
  @Tag public static var lawL6: Tag
  /// E1.
  @Tag public static var lawE1: Tag
  /// E2.
  @Tag public static var lawE2: Tag
  /// E3.
  @Tag public static var lawE3: Tag
  /// E4.
  @Tag public static var lawE4: Tag
  /// E5.
  @Tag public static var lawE5: Tag
  /// T1.
  @Tag public static var lawT1: Tag
  /// T2.
  @Tag public static var lawT2: Tag
  /// T3.
  @Tag public static var lawT3: Tag
  /// T4.
  @Tag public static var lawT4: Tag
  /// O1.
  @Tag public static var lawO1: Tag
  /// O2.
  @Tag public static var lawO2: Tag
  /// V1.
  @Tag public static var lawV1: Tag
  /// V2.
  @Tag public static var lawV2: Tag
  /// V3.
  @Tag public static var lawV3: Tag
  /// W1.
  @Tag public static var lawW1: Tag
  /// Q1.
  @Tag public static var lawQ1: Tag
  /// Q2.
  @Tag public static var lawQ2: Tag
  /// Q3.
  @Tag public static var lawQ3: Tag
  /// Q4.
  @Tag public static var lawQ4: Tag
  /// Q5.
  @Tag public static var lawQ5: Tag
  /// Q6.
  @Tag public static var lawQ6: Tag
  /// F1.
  @Tag public static var lawF1: Tag
  /// F2.
  @Tag public static var lawF2: Tag
  /// F3.
  @Tag public static var lawF3: Tag
  /// F4.
  @Tag public static var lawF4: Tag
  /// F5.
  @Tag public static var lawF5: Tag
  /// F6.
  @Tag public static var lawF6: Tag
  /// P1.
  @Tag public static var lawP1: Tag
  /// P2.
  @Tag public static var lawP2: Tag
  /// P3.
  @Tag public static var lawP3: Tag
  /// P4.
  @Tag public static var lawP4: Tag
  /// A1.
  @Tag public static var lawA1: Tag
  /// A2.
  @Tag public static var lawA2: Tag
  /// A3.
  @Tag public static var lawA3: Tag
  /// A4.
  @Tag public static var lawA4: Tag
}
