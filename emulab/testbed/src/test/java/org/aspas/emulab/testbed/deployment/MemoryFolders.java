package org.aspas.emulab.testbed.deployment;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.certify.journal.FileLayer;
import org.aspas.certify.journal.JournalLimits;
import org.aspas.certify.journal.file.FileAccess;
import org.aspas.certify.journal.memory.MemoryFiles;
import org.aspas.client.deployment.Folders;

/** Folders in memory that keep back what was not forced, all with one power. A folder itself is durable when it is made, as the port says. */
final class MemoryFolders implements Folders {
    private final Map<Path, MemoryFiles> folders = new TreeMap<>();
    private final Random random;
    private long callsLeft = Long.MAX_VALUE;

    /** The process ends here. */
    static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    MemoryFolders(Random random) {
        this.random = random;
    }

    /** The process ends in place of the call after so many that change or force something; at none with {@code Long.MAX_VALUE}. */
    void endAfter(long calls) {
        callsLeft = calls;
    }

    private void called(MemoryFiles files) {
        if (callsLeft-- == 0) {
            throw new Ended();
        }
    }

    /** The power fails: of what was not forced this share stays. */
    void powerFails(double kept) {
        folders.values()
                .forEach(files ->
                        files.powerFails(probability -> random.nextDouble() < probability, random::nextInt, kept));
    }

    /** Somebody removes a folder, with all in it. */
    void remove(Path root) {
        folders.keySet().removeIf(folder -> folder.startsWith(root));
    }

    @Override
    public boolean present(Path path) {
        MemoryFiles above = folders.get(path.getParent());
        return folders.keySet().stream().anyMatch(folder -> folder.startsWith(path))
                || (above != null && above.names().contains(path.getFileName().toString()));
    }

    @Override
    public FileLayer read(Path folder) {
        return folders.getOrDefault(folder, new MemoryFiles(folder.toString(), () -> 1));
    }

    @Override
    public FileLayer add(Path folder, FileAccess access) {
        return journal(folder);
    }

    @Override
    public FileLayer journal(Path folder) {
        return folders.computeIfAbsent(folder, made -> {
            MemoryFiles files = new MemoryFiles(made.toString(), () -> random.nextLong() | 1);
            files.beforeEachChange(this::called);
            return files;
        });
    }

    @Override
    public JournalLimits limits(JournalLimits usual) {
        return new JournalLimits(8 << 10, 1 << 20);
    }
}
