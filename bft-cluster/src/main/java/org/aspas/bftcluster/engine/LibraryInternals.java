package org.aspas.bftcluster.engine;

import bftsmart.clientsmanagement.ClientData;
import bftsmart.communication.client.netty.NettyClientServerCommunicationSystemServerSide;
import bftsmart.communication.server.ServerConnection;
import bftsmart.communication.server.ServersCommunicationLayer;
import bftsmart.consensus.Consensus;
import bftsmart.tom.core.Synchronizer;
import bftsmart.tom.core.TOMLayer;
import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.leaderchange.LCManager;
import io.netty.channel.Channel;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The library's private fields that containment needs. This one class depends on their names. */
final class LibraryInternals {
    private static final Logger LOG = LoggerFactory.getLogger(LibraryInternals.class);
    private static final Field SERVER_SOCKET = field(ServersCommunicationLayer.class, "serverSocket");
    private static final Field CONNECTIONS = field(ServersCommunicationLayer.class, "connections");
    private static final Field KEY = field(ServerConnection.class, "authKey");
    private static final Field SOCKET = field(ServerConnection.class, "socket");
    private static final Field RECEIVER_OF = field(receiverClass(), "this$0");
    private static final int SPARE_THREADS = 16;
    private static final Field REQUEST_PORT =
            field(NettyClientServerCommunicationSystemServerSide.class, "mainChannel");

    private static final Field LEADER_CHANGES = field(Synchronizer.class, "lcManager");
    private static final Field DECISION_EPOCH = field(Consensus.class, "decisionEpoch");
    private static final Field CLIENT_LOCK = field(ClientData.class, "clientLock");
    private static final Field MESSAGES_LOCK = field(TOMLayer.class, "messagesLock");

    private LibraryInternals() {}

    private static Class<?> receiverClass() {
        String name = ServerConnection.class.getName() + "$ReceiverThread";
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException otherVersion) {
            throw new IllegalStateException("no class " + name, otherVersion);
        }
    }

    private static Field field(Class<?> owner, String name) {
        try {
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException otherVersion) {
            throw new IllegalStateException(owner.getName() + " has no field " + name, otherVersion);
        }
    }

    /** What a field holds that is never null. */
    private static Object get(Field field, Object owner) {
        return Objects.requireNonNull(find(field, owner), field::toString);
    }

    private static @Nullable Object find(Field field, Object owner) {
        try {
            return field.get(owner);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void set(Field field, Object owner, Object value) {
        try {
            field.set(owner, value);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Closes both ports of a replica, and lets it accept replicas through that server socket alone. */
    static void enclose(TOMLayer layer, InMemoryServerSocket serverSocket) {
        ServersCommunicationLayer servers = layer.getCommunication().getServersConn();
        ServerSocket open = (ServerSocket) get(SERVER_SOCKET, servers);
        set(SERVER_SOCKET, servers, serverSocket);
        try {
            open.close();
        } catch (IOException alreadyClosed) {
            LOG.debug("the library's server socket", alreadyClosed);
        }
        Channel requests = (Channel) get(REQUEST_PORT, layer.getCommunication().getClientsConn());
        requests.close().awaitUninterruptibly();
    }

    /** Has another object keep what the library knows of changes of leader; before any has begun. */
    static void setLeaderChanges(TOMLayer layer, LCManager keeper) {
        set(LEADER_CHANGES, layer.getSynchronizer(), keeper);
    }

    /**
     * Has the library know that an instance is decided although it does not know what was decided, as after a transferred
     * state. When the replica is to lead, the library looks for the last decision, and its message thread dies when there is
     * none.
     */
    static void setDecided(TOMLayer layer, int instance) {
        Consensus consensus = layer.execManager.getConsensus(instance);
        if (consensus.getDecisionEpoch() == null) {
            consensus.getEpoch(0, layer.controller);
            set(DECISION_EPOCH, consensus, 0);
        }
    }

    /** Takes a request from those that a client has waiting, whatever is known of the client else. */
    static void removePending(ClientData client, TOMMessage request) {
        Lock lock = (Lock) get(CLIENT_LOCK, client);
        lock.lock();
        try {
            client.getPendingRequests().remove(request);
        } finally {
            lock.unlock();
        }
    }

    /** What the thread that proposes takes before it looks whether there are requests, and waits at while there are none. */
    static Lock messagesLock(TOMLayer layer) {
        return (Lock) get(MESSAGES_LOCK, layer);
    }

    /** The connection to another replica; null when the library has not made it. */
    static @Nullable ServerConnection connection(TOMLayer layer, int replica) {
        Map<?, ?> connections =
                (Map<?, ?>) get(CONNECTIONS, layer.getCommunication().getServersConn());
        return (ServerConnection) connections.get(replica);
    }

    /** Whether a connection has a socket, be it one on which nothing was said yet. */
    static boolean hasSocket(ServerConnection connection) {
        return find(SOCKET, connection) != null;
    }

    /** The key that a connection's messages are authenticated with. */
    static @Nullable SecretKey key(ServerConnection connection) {
        return connection.getSecretKey();
    }

    static void setKey(ServerConnection connection, SecretKey key) {
        set(KEY, connection, key);
    }

    /** The thread that receives from a connection, of those in the calling thread's group; null when it has not started. */
    static @Nullable Thread receiver(ServerConnection connection) {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[group.activeCount() + SPARE_THREADS];
        int count = group.enumerate(threads, false);
        for (int i = 0; i < count; i++) {
            if (RECEIVER_OF.getDeclaringClass().isInstance(threads[i]) && get(RECEIVER_OF, threads[i]) == connection) {
                return threads[i];
            }
        }
        return null;
    }

    /** Whether a receiver is in its pause before it looks for a connection again. */
    static boolean sleepsBeforeConnecting(Thread receiver) {
        return receiver.getState() == Thread.State.TIMED_WAITING
                && Arrays.stream(receiver.getStackTrace())
                        .anyMatch(frame -> frame.getMethodName().equals("waitAndConnect"));
    }
}
