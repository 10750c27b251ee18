/**
 * Which versions can be certified (paper §3.5; the protocol page, docs/protocol.md §5). {@link
 * org.aspas.certify.stable.StableVersion} turns what the appservers report into LV, the goal that nobody can stop or push
 * ahead; {@link org.aspas.certify.stable.CausalClosure} turns LV and the logs into LV', the largest version at most LV
 * that holds with every entry all that the entry depends on. Both are pure functions.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.stable;
