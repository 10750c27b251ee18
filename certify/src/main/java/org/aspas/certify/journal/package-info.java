/**
 * The journal: ordered records that survive a power cut, for all three tiers (docs/durability.md, docs/formats.md §15).
 *
 * <p>{@link org.aspas.certify.journal.Journal} is the whole interface. A node appends opaque records, and one {@link
 * org.aspas.certify.journal.Journal#sync} makes all of them durable (group commit). {@link
 * org.aspas.certify.journal.Journal#open} recovers: it cuts off a last group that was never finished, and refuses damage
 * before something that was synced later, by the name of the file and the byte. {@link
 * org.aspas.certify.journal.JournalInspection} says the same without a change to any file.
 *
 * <p>The bytes are in {@code SegmentHeader}, {@code RecordGroup} and {@code SegmentManifest}; these and {@code SegmentScan} are
 * pure. {@code SegmentStore} orders the writes and forces of new segments. Files are reached by the port {@link
 * org.aspas.certify.journal.FileLayer} alone: {@code file.DirectoryFiles} is the real one, and a test puts one there that
 * loses what was not forced.
 *
 * <p>Invariants: a segment's file never changes its length; the manifest names a segment only once its file and name are
 * durable; a file whose write or force failed is never written or forced again; what {@link
 * org.aspas.certify.journal.Journal#synced} covers is on the disk.
 */
@NullMarked
package org.aspas.certify.journal;

import org.jspecify.annotations.NullMarked;
