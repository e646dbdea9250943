/// Cousins who married: Ann's parents are the children of two brothers.
let smallFamily = """
  0 HEAD
  1 GEDC
  2 VERS 5.5.1
  1 CHAR UTF-8
  0 @I1@ INDI
  1 NAME Ann /Lee/
  1 SEX F
  1 BIRT
  2 DATE 2 FEB 1902
  2 PLAC Leeds,,England
  1 DEAT
  2 DATE 1980
  1 FAMC @F1@
  0 @I2@ INDI
  1 NAME John /Lee/
  1 SEX M
  1 BIRT
  2 DATE ABT 1870
  1 FAMS @F1@
  1 FAMC @F2@
  0 @I3@ INDI
  1 NAME Mary /Lee/
  1 SEX F
  1 FAMS @F1@
  1 FAMC @F3@
  0 @I4@ INDI
  1 NAME Hugh /Lee/
  1 SEX M
  1 FAMS @F2@
  1 FAMC @F4@
  0 @I5@ INDI
  1 NAME Owen /Lee/
  1 SEX M
  1 FAMS @F3@
  1 FAMC @F4@
  0 @I6@ INDI
  1 NAME Zoë /Lee/
  1 SEX F
  1 DEAT
  2 DATE BEF 1850
  1 FAMS @F4@
  0 @F1@ FAM
  1 HUSB @I2@
  1 WIFE @I3@
  1 CHIL @I1@
  1 MARR
  2 DATE 1 MAY 1900
  2 PLAC York
  0 @F2@ FAM
  1 HUSB @I4@
  1 CHIL @I2@
  0 @F3@ FAM
  1 HUSB @I5@
  1 CHIL @I3@
  0 @F4@ FAM
  1 WIFE @I6@
  1 CHIL @I4@
  1 CHIL @I5@
  0 TRLR
  """
