package org.aspas.emulab.testbed.backup;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.aspas.appserver.core.certification.SnapshotCheck;

/** A snapshot that can be got, each part of which is verified as it comes. */
public interface VerifiedSnapshot {
    /**
     * Gets and verifies all. Blocks.
     *
     * @param sink takes each part after it was verified
     * @return the snapshot, which is complete
     * @throws SnapshotCheck.WrongSnapshot when something is not what is certified
     * @throws IOException when it cannot be got, or the sink fails
     * @throws TimeoutException when a part does not come in time
     */
    SnapshotCheck run(SnapshotSink sink)
            throws IOException, SnapshotCheck.WrongSnapshot, TimeoutException, InterruptedException;
}
