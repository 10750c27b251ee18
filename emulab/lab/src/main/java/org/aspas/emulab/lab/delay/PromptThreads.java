package org.aspas.emulab.lab.delay;

import com.sun.jna.Function;
import com.sun.jna.Memory;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The threads that hand on frames, at work as soon as they wake. Linux, from 6.12, lets a thread ask for short slices of time;
 * one that wakes then does not wait until a thread with longer slices has used up its own (sched_setattr(2); the deadlines of
 * EEVDF). It gets no more of the processors for it. On other systems nothing happens.
 */
final class PromptThreads {
    /** As the first letters of their names: the timer here, the links' event loops, and those of the ordering library. */
    private static final List<String> NAMES = List.of("delays", "link-", "nioEventLoop");

    /** The shortest slice that the kernel grants. */
    private static final long SLICE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final int WORKING_PRIORITY = -5;
    private static final Path THREADS = Path.of("/proc/self/task");

    private PromptThreads() {}

    /** Asks the kernel for such slices; returns how many threads got them. */
    static int ask() {
        if (!Platform.isLinux() || !Platform.is64Bit() || !(Platform.isIntel() || Platform.isARM())) {
            return 0;
        }
        try (Scheduler scheduler = new Scheduler();
                DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            int granted = 0;
            for (Path thread : threads) {
                if (carriesFrames(thread) && scheduler.shorten(Integer.parseInt(name(thread)))) {
                    granted++;
                }
            }
            return granted;
        } catch (IOException | DirectoryIteratorException | NumberFormatException | LinkageError unusual) {
            return 0; // A system without /proc, or on which no native code loads.
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static boolean carriesFrames(Path thread) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            return NAMES.stream().anyMatch(name::startsWith);
        } catch (NoSuchFileException ended) {
            return false;
        }
    }

    /** The two calls, which the C library has no functions for, and their argument, struct sched_attr. */
    private static final class Scheduler implements AutoCloseable {
        private static final int BYTES = 48;
        private static final int NICE = 16;
        private static final int RUNTIME = 24;

        private final Function syscall = NativeLibrary.getProcess().getFunction("syscall");
        private final Memory attributes = new Memory(BYTES);
        private final long set = Platform.isARM() ? 274 : 314;
        private final long get = set + 1;

        boolean shorten(int thread) {
            if (call(get, thread, BYTES) != 0) {
                return false;
            }
            attributes.setLong(RUNTIME, SLICE_NANOS);
            int nice = attributes.getInt(NICE);
            attributes.setInt(NICE, Math.min(nice, WORKING_PRIORITY));
            if (call(set, thread, 0) == 0) {
                return true;
            }
            attributes.setInt(NICE, nice); // A higher priority is not for every user.
            return call(set, thread, 0) == 0;
        }

        /** The first takes flags after the attributes, the second their length and flags. */
        private long call(long number, int thread, long third) {
            return syscall.invokeLong(new Object[] {number, (long) thread, (Pointer) attributes, third, 0L});
        }

        @Override
        public void close() {
            attributes.close();
        }
    }
}
