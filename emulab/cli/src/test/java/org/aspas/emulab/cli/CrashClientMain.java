package org.aspas.emulab.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ClientOptions;
import org.aspas.client.api.FileClientState;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.Update;
import org.aspas.emulab.testbed.deployment.DeploymentDirectory;

/**
 * A client as a process of its own, which may be killed: half reads, half updates, like YCSB's workload A. Update i adds 4 to the
 * power i mod 20 to a counter for each twenty updates, so that the counter tells how often each of them counts. It prints a
 * line before each update, for each answer, for each failure, and for each certificate that it sees first.
 *
 * <p>Arguments: the deployment's directory, the client's name, its server, its first update, its seed.
 */
final class CrashClientMain {
    /** So many updates share a counter; each has a digit to base 4 in it. */
    static final int BLOCK = 20;

    private static final int AT_ONCE = 8;
    private static final int PAUSE_MILLIS = 20;

    private CrashClientMain() {}

    /** The counter of an update. */
    static String counter(String name, long update) {
        return name + "/" + update / BLOCK;
    }

    /** What an update adds. */
    static long amount(long update) {
        return 1L << 2 * (update % BLOCK);
    }

    /** How often an update counts, by the value of its counter; 3 may be more. */
    static int times(long value, long update) {
        return (int) (value >> 2 * (update % BLOCK)) & 3;
    }

    /** Runs until it is killed. */
    public static void main(String[] arguments) throws Exception {
        DeploymentDirectory lab = new DeploymentDirectory(Path.of(arguments[0]));
        String name = arguments[1];
        long next = Long.parseLong(arguments[3]);
        Random random = new Random(Long.parseLong(arguments[4]));
        ClientOptions options = ClientOptions.defaults()
                .withState(new FileClientState(
                        lab.clientPath(name, ".state"), lab.descriptor().id()));
        AspasClient client =
                AspasClient.connect(lab.descriptor(), lab.clientKey(name), Integer.parseInt(arguments[2]), options);
        Semaphore places = new Semaphore(AT_ONCE);
        AtomicLong newest = new AtomicLong();
        // Reading what a killed parent would have read needs nobody: the process ends with its parent's pipe.
        endWithParent();
        while (true) {
            places.acquire();
            if (random.nextBoolean()) {
                long update = next++;
                say("try " + update);
                Update sent = client.counter(counter(name, update)).increment(amount(update));
                sent.answered().whenComplete((answer, failure) -> {
                    say(failure == null ? "ack " + update : failed("update " + update, failure));
                    places.release();
                });
                sent.confirmed().exceptionally(failure -> {
                    say(failed("confirmation of update " + update, failure));
                    return null;
                });
            } else {
                read(client, counter(name, next == 0 ? 0 : random.nextLong(next)), places);
            }
            client.newestCertificate().map(one -> one.number()).ifPresent(number -> certificate(newest, number));
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private static void read(AspasClient client, String counter, Semaphore places)
            throws InterruptedException, ExecutionException {
        client.counter(counter).get(ReadLevel.LOCAL).whenComplete((value, failure) -> {
            say(failure == null ? "read" : failed("read", failure));
            places.release();
        });
    }

    private static void certificate(AtomicLong newest, CertificateNumber number) {
        if (newest.getAndSet(number.value()) < number.value()) {
            say("certificate " + number.value() + " " + System.currentTimeMillis());
        }
    }

    private static String failed(String what, Throwable failure) {
        return "fail " + what + " at " + Instant.now() + ": " + failure;
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is ever written.
                }
            } catch (java.io.IOException gone) {
                // As good as an end.
            }
            Runtime.getRuntime().halt(0);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
