package org.aspas.bftcluster.replica;

import bftsmart.communication.client.netty.NettyClientServerCommunicationSystemServerSide;
import bftsmart.communication.server.ServerConnection;
import bftsmart.communication.server.ServersCommunicationLayer;
import bftsmart.tom.core.TOMLayer;
import io.netty.channel.Channel;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.ServerSocket;
import java.util.Map;
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
    private static final Field REQUEST_PORT =
            field(NettyClientServerCommunicationSystemServerSide.class, "mainChannel");

    private LibraryInternals() {}

    private static Field field(Class<?> owner, String name) {
        try {
            Field field = owner.getDeclaredField(name);
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException otherVersion) {
            throw new IllegalStateException(owner.getName() + " has no field " + name, otherVersion);
        }
    }

    private static Object get(Field field, Object owner) {
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

    /** Closes both ports of a replica, and lets it accept replicas through the door alone. */
    static void enclose(TOMLayer layer, Door door) {
        ServersCommunicationLayer servers = layer.getCommunication().getServersConn();
        ServerSocket open = (ServerSocket) get(SERVER_SOCKET, servers);
        set(SERVER_SOCKET, servers, door);
        try {
            open.close();
        } catch (IOException alreadyClosed) {
            LOG.debug("the library's server socket", alreadyClosed);
        }
        Channel requests = (Channel) get(REQUEST_PORT, layer.getCommunication().getClientsConn());
        requests.close().awaitUninterruptibly();
    }

    /** The connection to another replica; null when the library has not made it. */
    static @Nullable ServerConnection connection(TOMLayer layer, int replica) {
        Map<?, ?> connections =
                (Map<?, ?>) get(CONNECTIONS, layer.getCommunication().getServersConn());
        return (ServerConnection) connections.get(replica);
    }

    /** The key that a connection's messages are authenticated with. */
    static @Nullable SecretKey key(ServerConnection connection) {
        return connection.getSecretKey();
    }

    static void setKey(ServerConnection connection, SecretKey key) {
        set(KEY, connection, key);
    }
}
