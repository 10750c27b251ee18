package org.aspas.emulab.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.emulab.console.port.NodeControl;
import org.aspas.emulab.lab.process.NodeFiles;
import org.aspas.emulab.lab.process.NodeProcess;
import org.aspas.emulab.lab.process.ProcessSignal;

/** The nodes that {@code aspas up} started on this machine. Thread-safe. */
final class ProcessControl implements NodeControl {
    private final Path directory;
    private final List<NodeId> nodes;
    private final Set<NodeId> frozen = new ConcurrentSkipListSet<>();

    ProcessControl(Path directory, Descriptor descriptor) {
        this.directory = directory;
        this.nodes = descriptor.nodes().stream().map(NodeDescription::id).toList();
    }

    /** Without a lock: who only looks must not keep 'up' and 'down' from their work. */
    private Optional<NodeProcess> process(NodeId node) throws IOException {
        return NodeFiles.running(run(), node);
    }

    private Path run() {
        return directory.resolve("run");
    }

    @Override
    public synchronized Set<NodeId> running() throws IOException {
        Set<NodeId> running = new TreeSet<>();
        for (NodeId node : nodes) {
            if (process(node).isPresent()) {
                running.add(node);
            }
        }
        frozen.retainAll(running);
        return running;
    }

    @Override
    public Set<NodeId> frozen() {
        return Set.copyOf(frozen);
    }

    /** The node's process, and those that it has started: a bftserver's first one starts it again. */
    private List<NodeProcess> processes(NodeId node) throws IOException {
        return process(node)
                .orElseThrow(() -> new IOException("it does not run"))
                .withDescendants();
    }

    @Override
    public synchronized void stop(NodeId node) throws IOException {
        try (NodeFiles files = NodeFiles.lock(run())) {
            processes(node).forEach(NodeProcess::kill);
            files.forget(node);
        }
    }

    @Override
    public synchronized void start(NodeId node) throws IOException, InterruptedException {
        List<String> up = List.of("up", directory.toString(), "--node", node.toString());
        int exit = new ProcessBuilder(Supervisor.command(up))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != ExitCodes.DONE) {
            throw new IOException("'aspas up' ends with " + exit + "; DIR/logs/" + node + ".out says more");
        }
    }

    @Override
    public synchronized void freeze(NodeId node) throws IOException, InterruptedException {
        signal(node, "STOP");
        frozen.add(node);
    }

    @Override
    public synchronized void thaw(NodeId node) throws IOException, InterruptedException {
        signal(node, "CONT");
        frozen.remove(node);
    }

    private void signal(NodeId node, String signal) throws IOException, InterruptedException {
        for (NodeProcess process : processes(node)) {
            ProcessSignal.send(process.handle(), signal);
        }
    }
}
