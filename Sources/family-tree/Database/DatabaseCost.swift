/// What the questions to a cache have cost the database below it.
struct DatabaseCost {
  let statements: Int
  let rows: Int
}
