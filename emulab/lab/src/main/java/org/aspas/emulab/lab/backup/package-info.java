/**
 * Backups of the certified state: a file that anyone verifies ({@link org.aspas.emulab.lab.backup.BackupFile}), how it is got
 * from a running deployment ({@link org.aspas.emulab.lab.backup.SnapshotDownload}) or a server's store, and a new deployment that
 * begins with it ({@link org.aspas.emulab.lab.backup.Founding}). A backup holds no private key.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.lab.backup;
