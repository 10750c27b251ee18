package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.aspas.appserver.store.BootId;

/**
 * A process of this machine, known by its number and by what tells it from an earlier and a later process of the same number: the
 * moment of its start. Linux tells that in ticks since the machine was started, which no setting of a clock moves; elsewhere it is a time
 * of the wall clock. Thread-safe.
 *
 * @param start the moment of its start, as {@link NodeFiles} keeps it
 */
public record NodeProcess(ProcessHandle handle, String start) {
    private static final Path PROC = Path.of("/proc");
    private static final long POLL_MILLIS = 50;
    /** The line of a listening socket in {@code /proc/PID/net/tcp}. */
    private static final Pattern LISTENER =
            Pattern.compile("\\s*\\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A (?:\\S+\\s+){5}(\\d+)\\b.*");

    /**
     * What {@code /proc/PID/stat} says.
     *
     * @param state a letter: Z for a process that has ended and that nobody has waited for
     * @param ticks from the machine's start to the process's
     */
    private record Stat(char state, long ticks) {
        private static final Pattern FIELDS =
                Pattern.compile("([A-Za-z]) (?:\\S+ ){18}(\\d{1,18})\\b.*", Pattern.DOTALL);

        /** Empty when there is no such process, or not such a file. */
        static Optional<Stat> of(long pid) {
            try {
                String text =
                        Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
                // The program's name comes before, in brackets, and may hold anything.
                Matcher fields =
                        FIELDS.matcher(text.substring(text.lastIndexOf(')') + 1).stripLeading());
                return fields.matches()
                        ? Optional.of(new Stat(fields.group(1).charAt(0), Long.parseLong(fields.group(2))))
                        : Optional.empty();
            } catch (IOException noSuchProcess) {
                return Optional.empty();
            }
        }

        boolean runs() {
            return state != 'Z' && state != 'X' && state != 'x';
        }

        String start() {
            return BootId.now() + "/" + ticks;
        }
    }

    /** The process that has this handle now. */
    public static NodeProcess of(ProcessHandle handle) {
        return new NodeProcess(handle, Stat.of(handle.pid()).map(Stat::start).orElseGet(() -> millis(handle)));
    }

    /** The process of this number; empty when none runs. One that has ended and that nobody has waited for does not run. */
    public static Optional<NodeProcess> running(long pid) {
        return ProcessHandle.of(pid).map(NodeProcess::of).filter(NodeProcess::runs);
    }

    /** In milliseconds since 1970; 0 where the system does not tell. */
    private static String millis(ProcessHandle handle) {
        return Long.toString(handle.info()
                .startInstant()
                .map(moment -> moment.toEpochMilli())
                .orElse(0L));
    }

    /** Whether its start is this one, as this version notes it or as earlier ones did, by the wall clock. */
    boolean started(String noted) {
        return noted.equals(start) || noted.equals(millis(handle));
    }

    public long pid() {
        return handle.pid();
    }

    public boolean runs() {
        Optional<Stat> now = Stat.of(handle.pid());
        return now.isPresent()
                ? now.get().runs() && (now.get().start().equals(start) || start.equals(millis(handle)))
                : handle.isAlive() && start.equals(millis(handle));
    }

    /** This process and all its descendants that still run. */
    public List<NodeProcess> withDescendants() {
        return Stream.concat(
                        Stream.of(this),
                        handle.descendants().map(NodeProcess::of).filter(NodeProcess::runs))
                .toList();
    }

    /** Tells it to end (SIGTERM), if it runs. */
    public void end() {
        if (runs()) {
            handle.destroy();
        }
    }

    /** Kills it, if it runs. */
    public void kill() {
        if (runs()) {
            handle.destroyForcibly();
        }
    }

    /**
     * Waits for its end.
     *
     * @param until how long, as {@link System#nanoTime}
     */
    public boolean ends(long until) throws InterruptedException {
        while (runs()) {
            if (System.nanoTime() - until >= 0) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        return true;
    }

    /**
     * Whether the process or one of its descendants waits for connections at a TCP port; true, too, where the system does not tell.
     */
    public boolean listensAt(int port) {
        try {
            Set<String> sockets = listeners(port);
            for (NodeProcess one : withDescendants()) {
                if (one.hasOneOf(sockets)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException notTold) {
            return true;
        }
    }

    /** The sockets in its network that wait at a port, as the links of {@code /proc/PID/fd} name them. */
    private Set<String> listeners(int port) throws IOException {
        Set<String> sockets = new TreeSet<>();
        String wanted = String.format(Locale.ROOT, "%04X", port);
        for (String table : List.of("tcp", "tcp6")) {
            Path file = PROC.resolve(Long.toString(pid())).resolve("net").resolve(table);
            if (table.equals("tcp6") && !Files.exists(file)) {
                continue;
            }
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                Matcher listener = LISTENER.matcher(line);
                if (listener.matches() && listener.group(1).equals(wanted)) {
                    sockets.add("socket:[" + listener.group(2) + "]");
                }
            }
        }
        return sockets;
    }

    private boolean hasOneOf(Set<String> sockets) throws IOException {
        try (DirectoryStream<Path> descriptors =
                Files.newDirectoryStream(PROC.resolve(Long.toString(pid())).resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (sockets.contains(target(descriptor))) {
                    return true;
                }
            }
            return false;
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
