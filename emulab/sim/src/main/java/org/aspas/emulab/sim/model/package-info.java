/**
 * The reference model: what a certificate must say, computed from the entries that lie on disks.
 *
 * <p>It is written from the specification (docs/formats.md §1, §2, §4 to §7; docs/protocol.md §2, §8, §9), not from the
 * code that it judges. It sees the JDK, plain ids, decoded messages and plain values, and nothing else of this product
 * ({@code ArchitectureTest}). Canonical bytes, SHA-256, the trees of RFC 9162, the state tree, its leaves and the clients'
 * chains are its own. So a mistake that all servers make alike shows here.
 *
 * <p>How to use it: keep one {@link org.aspas.emulab.sim.model.DiskImage} for each disk; when a content is signed, ask
 * {@link org.aspas.emulab.sim.model.DiskImage#holds} which disks hold what it certifies, give the entries that are new to
 * {@link org.aspas.emulab.sim.model.ReferenceModel#certify}, and read the {@link org.aspas.emulab.sim.model.Discrepancy}s.
 * Then {@link org.aspas.emulab.sim.model.ReferenceModel#valueAt} and
 * {@link org.aspas.emulab.sim.model.ReferenceModel#liveValue} say what reads must return, and
 * {@link org.aspas.emulab.sim.model.ReferenceModel#counted} which updates have counted.
 *
 * <p>The data types are defined on the <em>set</em> of counted updates. A counter is the sum of all of them in 64-bit
 * wrap-around arithmetic. An addition to a set survives unless another counted update of its element, or a clear, has
 * observed it: the dependencies of the entry that counted cover one of the addition's dots. What was resubmitted has
 * several dots, one for each entry with the same words. {@link org.aspas.emulab.sim.model.ReferenceModel} computes each
 * certificate from the one before, and can compute the whole state again from the sets alone
 * ({@link org.aspas.emulab.sim.model.ReferenceModel#stateFromScratch}).
 */
@NullMarked
package org.aspas.emulab.sim.model;

import org.jspecify.annotations.NullMarked;
