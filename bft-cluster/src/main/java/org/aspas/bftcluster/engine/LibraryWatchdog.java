package org.aspas.bftcluster.engine;

import bftsmart.communication.server.ServerConnection;
import bftsmart.tom.core.TOMLayer;
import java.security.GeneralSecurityException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after weaknesses of a running library, ten times a second:
 *
 * <p>Keys. A library that has no key for some replica stops ordering, although enough others are there. The watchdog
 * puts the last key back. For a replica that was never there it puts in a stand-in, which the library replaces when the
 * replica comes.
 *
 * <p>Receivers. A receiver that found nobody to connect to sleeps for five seconds, also when the connection comes at
 * once. The watchdog wakes it.
 *
 * <p>Threads. When a thread of the library has died or hangs, the library goes on as if nothing had happened. The
 * watchdog reports it.
 *
 * <p>Instances. At the end of a change of leader the library first takes the votes that came meanwhile, then notes the
 * instance as running. When those votes decide it, it is noted as running although it is executed, and all that
 * belongs to the next one waits: the leader proposes nothing, until the next change of leader. The watchdog removes the
 * note.
 *
 * <p>Timeouts. The library gives every new leader the same time, so that on a slow network leaders could follow each
 * other for ever. The watchdog doubles the request timeout with each change that no progress follows, up to fourfold.
 */
final class LibraryWatchdog {
    private static final Logger LOG = LoggerFactory.getLogger(LibraryWatchdog.class);
    private static final long LOOK_MILLIS = 100;
    /** Looks without a key after which the last one, or a stand-in, is used. */
    private static final int KEYLESS = 10;
    /** Looks after which a thread that waits in a busy loop is believed to wait for ever. */
    private static final int PATIENCE = 20;
    /** Looks for which a replica dials another that was not there again and again; later it does as the library likes. */
    private static final int EAGER = 300;
    /** Instances under one leader after which it has all the trust that the first one had. */
    private static final int PROGRESS = 10;

    private static final int MOST_PATIENCE = 4;

    private final int replica;
    private final int replicas;
    private final TOMLayer layer;
    private final CompletableFuture<String> failure;
    private final int timeoutMillis;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Map<Integer, SecretKey> keys = new HashMap<>();
    private final int[] missing;
    private final int[] unconnected;
    private final Map<Integer, Thread> receivers = new HashMap<>();
    private int leader = -1;
    private int hanging;
    private int stale = -1;
    private int regency;
    private int begun;
    private int patience = 1;

    LibraryWatchdog(int replica, int replicas, int timeoutMillis, TOMLayer layer, CompletableFuture<String> failure) {
        this.timeoutMillis = timeoutMillis;
        this.replica = replica;
        this.replicas = replicas;
        this.layer = layer;
        this.failure = failure;
        this.missing = new int[replicas];
        this.unconnected = new int[replicas];
    }

    void start() {
        Thread thread = new Thread(this::run, "replica-" + replica + "-watch");
        thread.setDaemon(true);
        thread.start();
    }

    void stop() {
        stopped.countDown();
    }

    private void run() {
        try {
            while (!stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                for (int other = 0; other < replicas; other++) {
                    if (other != replica) {
                        lookAt(other);
                    }
                }
                lookAtThreads();
                lookForHang();
                lookAtInstance();
                lookAtLeader();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void lookAt(int other) {
        ServerConnection connection = LibraryInternals.connection(layer, other);
        if (connection != null) {
            lookAtKey(other, connection);
            lookAtReceiver(other, connection);
        }
    }

    /** The receiver of a connection that stands must not sleep; that of one to be dialled sleeps two looks at first. */
    private void lookAtReceiver(int other, ServerConnection connection) {
        boolean connected = LibraryInternals.hasSocket(connection);
        unconnected[other] = connected ? 0 : unconnected[other] + 1;
        boolean dials = other < replica && unconnected[other] < EAGER && unconnected[other] % 2 == 0;
        if (connected || dials) {
            wake(other, connection);
        }
    }

    private void wake(int other, ServerConnection connection) {
        Thread receiver = receivers.get(other);
        if (receiver == null) {
            receiver = LibraryInternals.receiver(connection);
            if (receiver == null) {
                return;
            }
            receivers.put(other, receiver);
        }
        if (LibraryInternals.sleepsBeforeConnecting(receiver)) {
            receiver.interrupt();
        }
    }

    private void lookAtKey(int other, ServerConnection connection) {
        SecretKey key = LibraryInternals.key(connection);
        if (key != null) {
            missing[other] = 0;
            keys.put(other, key);
        } else if (++missing[other] > KEYLESS) {
            missing[other] = 0;
            LOG.info("replica {} goes on without a key for replica {}", replica, other);
            LibraryInternals.setKey(connection, keys.computeIfAbsent(other, absent -> standIn()));
        }
    }

    private static SecretKey standIn() {
        try {
            return SecretKeyFactory.getInstance("PBEWithMD5AndDES")
                    .generateSecret(new PBEKeySpec("nobody".toCharArray()));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("this JDK lacks what the ordering library needs", impossible);
        }
    }

    private void lookAtThreads() {
        Thread[] threads = {
            layer,
            layer.getCommunication(),
            layer.getDeliveryThread(),
            layer.getCommunication().getServersConn()
        };
        for (Thread thread : threads) {
            if (thread.getState() == Thread.State.TERMINATED
                    && stopped.getCount() > 0
                    && failure.complete("thread " + thread.getName() + " of replica " + replica + " has died")) {
                LOG.error("thread {} of replica {} has died", thread.getName(), replica);
            }
        }
    }

    /** The library's one message thread waits in a busy loop for a value that only that thread could bring. */
    private void lookForHang() {
        StackTraceElement[] stack = layer.getCommunication().getStackTrace();
        hanging = stack.length > 0 && stack[0].getMethodName().equals("getDeserializedValue") ? hanging + 1 : 0;
        if (hanging > PATIENCE
                && stopped.getCount() > 0
                && failure.complete("the message thread of replica " + replica + " hangs")) {
            LOG.error("the message thread of replica {} waits for a value for ever", replica);
        }
    }

    /** An instance that is executed cannot be running. The library sets both numbers one after the other: two looks. */
    private void lookAtInstance() {
        int running = layer.getInExec();
        boolean executed = running >= 0 && running <= layer.getLastExec();
        if (executed && running == stale && running == layer.getInExec()) {
            LOG.info("replica {} goes on after instance {}, which was executed and noted as running", replica, running);
            layer.setInExec(-1);
        }
        stale = executed ? running : -1;
    }

    private void lookAtLeader() {
        int now = layer.execManager.getCurrentLeader();
        if (now != leader) {
            leader = now;
            LOG.info("replica {} follows leader {}", replica, now);
        }
        int current = layer.getSynchronizer() == null
                ? regency
                : layer.getSynchronizer().getLCManager().getLastReg();
        if (current != regency) {
            regency = current;
            begun = layer.getLastExec();
            bear(Math.min(2 * patience, MOST_PATIENCE));
        } else if (patience > 1 && layer.getLastExec() - begun >= PROGRESS) {
            bear(1);
        }
    }

    private void bear(int times) {
        patience = times;
        if (layer.requestsTimer != null) {
            layer.requestsTimer.setTimeout((long) times * timeoutMillis);
        }
    }
}
