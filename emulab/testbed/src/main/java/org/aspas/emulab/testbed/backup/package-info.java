/**
 * Backups of the certified state. A backup is a file that anyone can verify ({@link org.aspas.emulab.testbed.backup.BackupFile}). It is
 * taken from a running deployment ({@link org.aspas.emulab.testbed.backup.SnapshotDownload}) or from a server's store, and a new
 * deployment can start from it ({@link org.aspas.emulab.testbed.backup.RestoreBootstrap}). It contains no private key.
 */
@org.jspecify.annotations.NullMarked
package org.aspas.emulab.testbed.backup;
