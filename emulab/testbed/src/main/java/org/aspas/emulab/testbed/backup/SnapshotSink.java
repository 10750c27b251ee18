package org.aspas.emulab.testbed.backup;

import java.io.IOException;

/** Takes what was verified of a snapshot: the head first, then its parts. */
@FunctionalInterface
public interface SnapshotSink {
    void take(byte[] encoded) throws IOException;
}
