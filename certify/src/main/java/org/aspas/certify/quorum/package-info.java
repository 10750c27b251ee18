/**
 * The only arithmetic on the numbers of servers and of faults. Every other package asks {@link
 * org.aspas.certify.quorum.Quorums}; none adds one to f by itself (the protocol page, §1).
 */
@org.jspecify.annotations.NullMarked
package org.aspas.certify.quorum;
