/**
 * The appserver's part in certification (paper §3.5; the protocol page, docs/protocol.md §5).
 *
 * <p>The bftservers certify versions: for each origin a size and a root of its log, and one root of the state at that version.
 * An appserver does three things for that.
 *
 * <ol>
 *   <li>It reports what it has delivered under signed heads ({@code VersionReporter}, message VERTOBFT).
 *   <li>It answers when b+1 bftservers ask for the stable state at a version ({@code StableAnswers}, messages BFTREQSTABLE and
 *       STABLE). {@code NextState} computes that state.
 *   <li>It adopts certificates in the order of their numbers ({@link
 *       org.aspas.appserver.core.certification.Certification#adoptNext}). {@code WaitingCertificates} assembles shares and holds
 *       certificates for which entries lack. {@link org.aspas.appserver.core.certification.CertifiedHistory} is what was
 *       adopted.
 * </ol>
 *
 * <p>A certificate is adopted when it follows the newest one, the logs hold its version, and its roots are those of the own logs
 * and the own state. Before that, {@code LogRepair} makes the logs agree with it: it cuts the logs of excluded origins, and
 * takes back the ends of logs in whose places other entries are certified. If the own log or the state still differs, the server
 * is {@link org.aspas.appserver.core.state.ServerState#DIVERGED}.
 *
 * <p>In: requests, shares and certificates, ticks, and the news that the logs grew. Out: reports, answers, records and
 * alarms. {@link org.aspas.appserver.core.certification.Certification.Step} is returned to the core: a certificate that was
 * adopted, or {@link org.aspas.appserver.core.certification.LogsCut}.
 *
 * <p>What always holds: the certified state is a function of the certified entries alone, so that all correct servers adopt
 * the same; certified entries are never taken back; the record of an exclusion comes before that of its certificate.
 *
 * <h2>The base</h2>
 *
 * {@link org.aspas.appserver.core.certification.BaseImages} makes an image of the certified state at each certificate (docs/durability.md,
 * "The base"); the shell finds what changed since the one before, and writes that. {@link
 * org.aspas.appserver.core.certification.SnapshotBootstrap} is what a server does whose journal goes on from a base that is gone: it waits
 * for a snapshot, and meanwhile claims nothing. {@link org.aspas.appserver.core.certification.LeafBlockRoots} lets a start believe hashes of
 * leaves before the base.
 *
 * <h2>Snapshots</h2>
 *
 * They are for servers that were away for longer than certificates are kept. {@link
 * org.aspas.appserver.core.certification.SnapshotSource} keeps the state at some certificates and gives parts of it. {@link
 * org.aspas.appserver.core.certification.SnapshotIntake} finds out that a snapshot is needed, chooses one, gets its parts from several
 * peers, verifies each, and returns the whole as a {@link org.aspas.appserver.core.certification.Snapshot}; the core installs it. Nothing
 * of a part is kept that the certified roots do not prove; no peer can make a server take a state that 2b+1 bftservers did not
 * sign; what a peer leaves out or delays costs time only.
 */
@NullMarked
package org.aspas.appserver.core.certification;

import org.jspecify.annotations.NullMarked;
