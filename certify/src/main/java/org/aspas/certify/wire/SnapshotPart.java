package org.aspas.certify.wire;

/** A message in which the certified state travels, or is asked for, part by part. */
public sealed interface SnapshotPart extends Message permits SnapshotPull, SnapshotHead, SnapshotChunk {}
