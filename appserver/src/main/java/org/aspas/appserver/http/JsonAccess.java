package org.aspas.appserver.http;

import java.net.InetAddress;
import java.util.Optional;

/** Who may use the JSON API of objects. Whoever may needs no key: the server signs, and is trusted. */
public enum JsonAccess {
    OFF,
    /** Programs on the server's own machine, and what a proxy there lets through. */
    LOOPBACK,
    /** Everybody who reaches the port. */
    ON;

    /** Whether a request from an address may be served; one whose address is not known comes from elsewhere. */
    boolean admits(Optional<InetAddress> remote) {
        return switch (this) {
            case OFF -> false;
            case LOOPBACK -> remote.filter(InetAddress::isLoopbackAddress).isPresent();
            case ON -> true;
        };
    }
}
