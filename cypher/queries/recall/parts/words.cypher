// What a full-text `index` finds for the `terms` of the question, by the share of them that it has, the best first: `node`, `words`, `pool`.
  WITH index, terms
  WHERE terms <> ''
  CALL db.index.fulltext.queryNodes(index,
    '+tenant:' + $tenant + '^0 ' + CASE WHEN $lo = $hi THEN '+subject_id:' + $lo + '^0 ' ELSE '' END + '+(' + terms + ')',
    {limit: $read}) YIELD node, score
  // Each word adds 1 and a bit of its own to the score, so the score tells which of the words a memory has.
  WITH toInteger(round((score - floor(score)) * 65536)) AS marks, collect(node) AS nodes
  WITH collect({marks: marks, nodes: nodes}) AS groups, sum(size(nodes)) AS pool
  WITH groups, pool, [bit IN $bits |
    reduce(count = 0, one IN groups | CASE WHEN one.marks / bit % 2 = 1 THEN count + size(one.nodes) ELSE count END)] AS counts
  WITH groups, pool, [count IN counts | log(1 + (pool - count + 0.5) / (count + 0.5))] AS rarities
  WITH groups, pool, rarities, reduce(sum = 0.0, rarity IN rarities | sum + rarity) AS whole
  UNWIND groups AS one
  WITH one.nodes AS nodes, pool,
    reduce(sum = 0.0, i IN range(0, size($bits) - 1) | CASE WHEN one.marks / $bits[i] % 2 = 1 THEN sum + rarities[i] ELSE sum END) / whole AS words
  ORDER BY words DESC
  UNWIND nodes AS node
  // Only groups that are read are put in order, by the number that the store gave each node: the index's own order may change
  // when others write.
  WITH node, words, pool
  ORDER BY words DESC, node
