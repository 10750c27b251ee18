package org.aspas.emulab.testbed.deployment;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/** Nodes that run as processes of this machine, each with what it keeps on disk. Thread-safe. */
public final class ProcessCluster implements AutoCloseable {
    private static final long STOP_SECONDS = 15;

    private final Launcher launcher;
    private final Consumer<String> teller;
    private final Map<NodeId, Process> processes = new TreeMap<>();
    private final ScheduledExecutorService timeline = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "world-timeline");
        made.setDaemon(true);
        return made;
    });
    private boolean closed;

    /** Starts one node as a process. */
    public interface Launcher {
        /** The process, begun just now; it may be one that has begun before for the same node. */
        Process launch(NodeId node) throws IOException;
    }

    /**
     * Nothing runs yet.
     *
     * @param teller prints one line of what happens; called by one thread at a time
     */
    public ProcessCluster(Launcher launcher, Consumer<String> teller) {
        this.launcher = launcher;
        this.teller = teller;
    }

    /** Starts nodes that do not run. */
    public synchronized void start(Collection<NodeId> nodes) throws IOException {
        for (NodeId node : nodes) {
            if (!closed) {
                processes.put(node, launcher.launch(node));
            }
        }
    }

    /** The nodes whose processes have ended, though nobody killed them. */
    public synchronized List<NodeId> ended() {
        return processes.entrySet().stream()
                .filter(one -> !one.getValue().isAlive())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Lets the timeline's freezes and kills happen, from a moment on. To be called once. */
    public void begin(WorldMap world, Instant moment) {
        for (WorldFault fault : world.faults()) {
            if (fault instanceof WorldFault.Freeze freeze) {
                at(moment, freeze.begins(), freeze.node() + " stands still", () -> signal(freeze.node(), "STOP"));
                at(moment, freeze.ends(), freeze.node() + " goes on", () -> signal(freeze.node(), "CONT"));
            } else if (fault instanceof WorldFault.Kill kill) {
                at(moment, kill.begins(), kill.node() + " is killed", () -> kill(kill.node()));
                at(moment, kill.ends(), kill.node() + " starts again", () -> start(List.of(kill.node())));
            }
        }
    }

    private interface Deed {
        void happen() throws IOException, InterruptedException;
    }

    private void at(Instant moment, long micros, String line, Deed deed) {
        long wait = Duration.between(Instant.now(), moment).toNanos() + TimeUnit.MICROSECONDS.toNanos(micros);
        var unused = timeline.schedule(
                () -> {
                    try {
                        deed.happen();
                        teller.accept(line);
                    } catch (IOException failed) {
                        teller.accept(line + ": " + failed.getMessage());
                    } catch (InterruptedException ending) {
                        Thread.currentThread().interrupt();
                    }
                },
                wait,
                TimeUnit.NANOSECONDS);
    }

    private synchronized void kill(NodeId node) throws InterruptedException {
        Process process = processes.remove(node);
        if (process != null) {
            all(process).forEach(ProcessHandle::destroyForcibly);
            process.waitFor();
        }
    }

    private synchronized void signal(NodeId node, String signal) throws IOException, InterruptedException {
        Process process = processes.get(node);
        if (process == null) {
            throw new IOException("it does not run");
        }
        for (ProcessHandle one : all(process).toList()) {
            ProcessSignal.send(one, signal);
        }
    }

    private static Stream<ProcessHandle> all(Process process) {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants());
    }

    /** Tells every node to stop, and kills what has not ended after a while; frozen nodes go on first. */
    @Override
    public void close() {
        timeline.shutdownNow();
        List<Process> running;
        synchronized (this) {
            closed = true;
            running = new ArrayList<>(processes.values());
            for (NodeId node : List.copyOf(processes.keySet())) {
                try {
                    signal(node, "CONT");
                } catch (IOException ended) {
                    processes.remove(node);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
        running.forEach(Process::destroy);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        for (Process process : running) {
            try {
                if (!process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
