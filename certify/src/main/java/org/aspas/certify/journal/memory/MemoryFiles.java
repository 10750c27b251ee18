package org.aspas.certify.journal.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.aspas.certify.journal.FileLayer;

/**
 * A directory in memory that keeps back what was not forced: bytes of files, and new names. Processes see all that was done.
 * A power cut leaves what was forced, and of the rest what chance decides. For one thread.
 */
public final class MemoryFiles implements FileLayer {
    private final String path;
    private final LongSupplier marks;
    /** What processes see. */
    private final TreeMap<String, MemoryFile> files = new TreeMap<>();
    /** What the directory holds when the power fails. */
    private final TreeMap<String, MemoryFile> durable = new TreeMap<>();
    /** What was done to the directory and not forced, in order. */
    private final List<Change> changes = new ArrayList<>();

    private Consumer<MemoryFiles> before = files -> {};

    /**
     * A change of the directory.
     *
     * @param old the name that the file loses, if it has it; empty for none
     * @param name the name that it gets; empty for none
     */
    private record Change(MemoryFile file, String old, String name) {
        void apply(Map<String, MemoryFile> names) {
            if (!old.isEmpty()) {
                names.remove(old, file);
            }
            if (!name.isEmpty()) {
                names.put(name, file);
            }
        }

        Change of(Function<MemoryFile, MemoryFile> other) {
            return new Change(other.apply(file), old, name);
        }
    }

    /**
     * An empty directory.
     *
     * @param marks gives numbers other than zero, each time another
     */
    public MemoryFiles(String path, LongSupplier marks) {
        this.path = path;
        this.marks = marks;
    }

    /**
     * From now on this is told, with these files, before each call that changes or forces something. What it throws comes out of
     * that call, which then does nothing.
     */
    public void beforeEachChange(Consumer<MemoryFiles> told) {
        before = told;
    }

    /** The same files, of which the same is forced, for somebody else; they tell the same listener of their changes. */
    public MemoryFiles copy() {
        MemoryFiles copy = new MemoryFiles(path, marks);
        copy.before = before;
        Map<MemoryFile, MemoryFile> copied = new HashMap<>();
        Function<MemoryFile, MemoryFile> once = file -> copied.computeIfAbsent(file, one -> one.copy(copy::called));
        files.forEach((name, file) -> copy.files.put(name, once.apply(file)));
        durable.forEach((name, file) -> copy.durable.put(name, once.apply(file)));
        changes.forEach(change -> copy.changes.add(change.of(once)));
        return copy;
    }

    private void called() {
        before.accept(this);
    }

    @Override
    public List<String> names() {
        return List.copyOf(files.keySet());
    }

    @Override
    public String describe(String name) {
        return path + "/" + name;
    }

    @Override
    public byte[] read(String name) throws IOException {
        return present(name).bytes();
    }

    private MemoryFile present(String name) throws IOException {
        MemoryFile present = files.get(name);
        if (present == null) {
            throw new IOException(describe(name) + " is missing");
        }
        return present;
    }

    @Override
    public MemoryFile create(String name) {
        MemoryFile fresh = new MemoryFile(new byte[0], this::called);
        change(new Change(fresh, "", name));
        return fresh;
    }

    @Override
    public void rename(String from, String to) throws IOException {
        MemoryFile moved = present(from);
        change(new Change(moved, from, to));
    }

    @Override
    public void delete(String name) throws IOException {
        MemoryFile gone = present(name);
        change(new Change(gone, name, ""));
    }

    private void change(Change change) {
        called();
        change.apply(files);
        changes.add(change);
    }

    @Override
    public void forceDirectory() {
        called();
        changes.forEach(change -> change.apply(durable));
        changes.clear();
    }

    @Override
    public long freshMark() {
        return marks.getAsLong();
    }

    @Override
    public void close() {
        // Nothing is held open.
    }

    /**
     * The power fails. Each name that was not forced, and each sector, is there with some probability, a sector perhaps in part.
     *
     * @param happens whether something of this probability happens
     * @param index a number from 0 to below this one
     * @param kept the probability, from 0 to 1
     */
    public void powerFails(DoublePredicate happens, IntUnaryOperator index, double kept) {
        for (Change change : changes) {
            if (happens.test(kept)) {
                change.apply(durable);
            }
        }
        changes.clear();
        durable.values().forEach(file -> file.cut(happens, index, kept));
        files.clear();
        files.putAll(durable);
    }

    /** The files, as processes see them. */
    public Map<String, byte[]> content() {
        Map<String, byte[]> content = new TreeMap<>();
        files.forEach((name, stored) -> content.put(name, stored.bytes()));
        return content;
    }

    /** Holds these files, durably, and no others. */
    public void hold(Map<String, byte[]> content) {
        files.clear();
        durable.clear();
        changes.clear();
        content.forEach((name, bytes) -> files.put(name, new MemoryFile(bytes, this::called)));
        durable.putAll(files);
    }
}
