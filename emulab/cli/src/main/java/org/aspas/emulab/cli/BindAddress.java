package org.aspas.emulab.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The check of {@code --bind}. */
final class BindAddress {
    private BindAddress() {}

    static void check(String address) {
        try {
            InetAddress.getByName(address);
        } catch (UnknownHostException unknown) {
            throw new IllegalArgumentException("--bind " + address + " is no address of this machine");
        }
    }
}
