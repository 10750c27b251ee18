package org.aspas.emulab.cli;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.aspas.certify.bound.Backoff;
import org.aspas.emulab.testbed.deployment.NodeProcess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a command of this program in a process of its own and starts it again when it ends in failure, after a pause that
 * doubles from one second to thirty and begins again after five minutes without failure.
 */
final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final long FIRST_PAUSE_SECONDS = 1;
    private static final long LONGEST_PAUSE_SECONDS = 30;
    private static final long GOOD_RUN_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** What a shell reports for a process that a signal ended. */
    private static final int FIRST_SIGNAL = 129;

    /** The virtual machine's code after {@code -XX:+ExitOnOutOfMemoryError}. */
    private static final int OUT_OF_MEMORY = 3;

    private static final String SUPERVISED = "aspas.supervised";

    private final List<String> command;
    private volatile boolean stopping;

    Supervisor(List<String> arguments) {
        this.command = command(arguments);
    }

    /** How to run this program in another process, which ends with this one where the command says so. */
    static List<String> command(List<String> arguments) {
        return command(ManagementFactory.getRuntimeMXBean().getInputArguments(), arguments);
    }

    /** The same with other options of the JVM. */
    static List<String> command(List<String> options, List<String> arguments) {
        List<String> made = new ArrayList<>();
        made.add(ProcessHandle.current().info().command().orElse("java"));
        made.addAll(options);
        made.add("-XX:+ExitOnOutOfMemoryError");
        made.add("-D" + SUPERVISED + "=true");
        made.add("-cp");
        made.add(System.getProperty("java.class.path"));
        made.add(Aspas.class.getName());
        made.addAll(arguments);
        return List.copyOf(made);
    }

    /** In a process that a supervisor runs: ends with the supervisor, however that ends, also when nobody waits for it. */
    static void endWithSupervisor() {
        if (Boolean.getBoolean(SUPERVISED)) {
            ProcessHandle.current().parent().map(NodeProcess::of).ifPresent(Supervisor::endWith);
        }
    }

    private static void endWith(NodeProcess supervisor) {
        Thread watch = new Thread(
                () -> {
                    try {
                        while (supervisor.runs()) {
                            TimeUnit.SECONDS.sleep(1);
                        }
                        Runtime.getRuntime().halt(ExitCodes.HALTED);
                    } catch (InterruptedException ending) {
                        Thread.currentThread().interrupt();
                    }
                },
                "supervisor-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /** Returns the exit code when the command has ended by itself without failure, or could not be begun properly. */
    int run() throws IOException, InterruptedException {
        Backoff backoff = Backoff.of(FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS);
        while (true) {
            long began = System.nanoTime();
            Process child = new ProcessBuilder(command).inheritIO().start();
            Thread stop = new Thread(() -> stop(child));
            Runtime.getRuntime().addShutdownHook(stop);
            int code = child.waitFor();
            if (stopping || code != ExitCodes.HALTED && code < FIRST_SIGNAL && code != OUT_OF_MEMORY) {
                return code;
            }
            Runtime.getRuntime().removeShutdownHook(stop);
            backoff = System.nanoTime() - began > GOOD_RUN_NANOS ? backoff.reset() : backoff;
            LOG.error("the bftserver's process ended with {}; restarting it in {} s", code, backoff.pause());
            TimeUnit.SECONDS.sleep(backoff.pause());
            backoff = backoff.next();
        }
    }

    private void stop(Process child) {
        stopping = true;
        child.destroy();
        try {
            if (!child.waitFor(10, TimeUnit.SECONDS)) {
                child.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
