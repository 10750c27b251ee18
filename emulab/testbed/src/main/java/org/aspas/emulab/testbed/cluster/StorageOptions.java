package org.aspas.emulab.testbed.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.aspas.appserver.core.state.RetentionLimits;
import org.aspas.appserver.store.Durability;
import org.jspecify.annotations.Nullable;

/**
 * How the servers of clusters that come one after another keep what they know. Immutable.
 *
 * @param durability what the answers of appservers wait for; then all nodes keep what they must in files, which are removed with
 *     the cluster. Null keeps all in memory
 * @param folder where the files are, in a new directory for each cluster; null for the system's folder of temporary files
 */
public record StorageOptions(
        @Nullable Durability durability, @Nullable Path folder, RetentionLimits retention) {
    /** Everything in memory, with the usual retention. */
    public static final StorageOptions NOTHING = new StorageOptions(null, null, RetentionLimits.USUAL);

    /** The same with answers that wait for this; null keeps all in memory. */
    public StorageOptions with(@Nullable Durability answers) {
        return new StorageOptions(answers, folder, retention);
    }

    /**
     * The options of the next cluster.
     *
     * @throws IOException when its directory cannot be made
     */
    public ClusterOptions options() throws IOException {
        ClusterOptions options = ClusterOptions.defaults().withRetention(retention);
        return durability == null ? options : options.withStores(directory(), true, durability);
    }

    /** Where the files are, with the kind of the file system: one that is in memory forces nothing. */
    public String disk() {
        Path at = folder == null ? Path.of(System.getProperty("java.io.tmpdir", ".")) : folder;
        try {
            return at + " (" + Files.getFileStore(Files.createDirectories(at)).type() + ")";
        } catch (IOException unknown) {
            return at.toString();
        }
    }

    private Path directory() throws IOException {
        String name = "aspas-data-";
        return folder == null
                ? Files.createTempDirectory(name)
                : Files.createTempDirectory(Files.createDirectories(folder), name);
    }
}
