package org.aspas.emulab.experiments.page;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.emulab.sim.world.Site;
import org.aspas.emulab.sim.world.WorldMap;

/**
 * A map of a world's sites: degrees to the right and upwards alike (equirectangular), with the round trips between sites
 * that have servers.
 */
final class SiteMapPlot {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 320;
    private static final int LABEL = 36;
    private static final double LEAST_DEGREES = 20;
    private static final double ROOM = 0.22;

    private final WorldMap world;
    private final double west;
    private final double north;
    private final double degrees;

    /** A map of a world with at least one site. */
    SiteMapPlot(WorldMap world) {
        this.world = world;
        Collection<Site> sites = world.sites().values();
        double left = sites.stream().mapToDouble(Site::longitude).min().orElse(-180);
        double right = sites.stream().mapToDouble(Site::longitude).max().orElse(180);
        double bottom = sites.stream().mapToDouble(Site::latitude).min().orElse(-90);
        double top = sites.stream().mapToDouble(Site::latitude).max().orElse(90);
        double wide = Math.max(LEAST_DEGREES, (right - left) * (1 + ROOM));
        double high = Math.max(LEAST_DEGREES * HEIGHT / WIDTH, (top - bottom) * (1 + 2 * ROOM));
        this.degrees = Math.max(wide / WIDTH, high / HEIGHT);
        this.west = (left + right) / 2 - degrees * WIDTH / 2;
        this.north = (top + bottom) / 2 + degrees * HEIGHT / 2;
    }

    String svg() {
        SvgWriter svg = new SvgWriter();
        svg.begin(
                "svg",
                "class",
                "plot map",
                "viewBox",
                "0 0 " + WIDTH + " " + HEIGHT,
                "role",
                "img",
                "aria-label",
                "The sites of world " + world.name());
        graticule(svg);
        links(svg);
        parties().forEach((name, parties) -> site(svg, name, parties));
        return svg.end().svg();
    }

    private void graticule(SvgWriter svg) {
        int step = degrees * WIDTH > 90 ? 30 : 10;
        svg.begin("g", "class", "grid");
        for (int longitude = -360; longitude <= 360; longitude += step) {
            double x = across(longitude);
            if (x > 0 && x < WIDTH) {
                svg.empty("line", "x1", x, "x2", x, "y1", 0, "y2", HEIGHT);
                if (x < WIDTH - LABEL) {
                    svg.text("text", shown(longitude, "E", "W"), "x", x + 3, "y", HEIGHT - 5);
                }
            }
        }
        for (int latitude = -90; latitude <= 90; latitude += step) {
            double y = down(latitude);
            if (y > 0 && y < HEIGHT) {
                svg.empty("line", "x1", 0, "x2", WIDTH, "y1", y, "y2", y);
                svg.text("text", shown(latitude, "N", "S"), "x", 4, "y", y - 3);
            }
        }
        svg.end();
    }

    private static String shown(int degree, String positive, String negative) {
        return Math.abs(degree) + "°" + (degree > 0 ? positive : degree < 0 ? negative : "");
    }

    private void links(SvgWriter svg) {
        svg.begin("g", "class", "links");
        world.roundTrips().entrySet().stream()
                .filter(link -> !link.getKey().one().equals(link.getKey().other()))
                .sorted(Map.Entry.comparingByKey(
                        (one, other) -> (one.one() + one.other()).compareTo(other.one() + other.other())))
                .forEach(link -> {
                    Site one = site(link.getKey().one());
                    Site other = site(link.getKey().other());
                    String millis = PlotAxis.shown(link.getValue()) + " ms";
                    svg.begin("g", "class", "point");
                    svg.text("title", one.name() + " to " + other.name() + ": round trip " + millis);
                    svg.empty(
                            "line",
                            "x1",
                            across(one.longitude()),
                            "x2",
                            across(other.longitude()),
                            "y1",
                            down(one.latitude()),
                            "y2",
                            down(other.latitude()));
                    svg.text(
                            "text",
                            millis,
                            "x",
                            (across(one.longitude()) + across(other.longitude())) / 2,
                            "y",
                            (down(one.latitude()) + down(other.latitude())) / 2 - 3,
                            "text-anchor",
                            "middle");
                    svg.end();
                });
        svg.end();
    }

    private Site site(String name) {
        Site site = world.sites().get(name);
        if (site == null) {
            throw new IllegalStateException("world " + world.name() + " has no site " + name);
        }
        return site;
    }

    private void site(SvgWriter svg, String name, List<String> parties) {
        Site site = site(name);
        double x = across(site.longitude());
        double y = down(site.latitude());
        String who = String.join(", ", parties);
        svg.begin("g", "class", "site point");
        svg.text("title", name + (who.isEmpty() ? "" : ": " + who));
        svg.empty("circle", "class", "mark", "cx", x, "cy", y, "r", 5);
        boolean right = x > WIDTH - 130;
        String anchor = right ? "end" : "start";
        double at = right ? x - 9 : x + 9;
        svg.text(
                "text",
                site.near().isEmpty() ? name : site.near(),
                "class",
                "name",
                "x",
                at,
                "y",
                y - 1,
                "text-anchor",
                anchor);
        svg.text("text", who, "x", at, "y", y + 11, "text-anchor", anchor);
        svg.end();
    }

    /** What is at each site, in the order of the file: servers by index, clients in words. */
    private Map<String, List<String>> parties() {
        Map<String, List<String>> parties = new LinkedHashMap<>();
        world.sites().keySet().forEach(name -> parties.put(name, new ArrayList<>()));
        placed(parties, world.appservers(), "a");
        placed(parties, world.bftservers(), "b");
        for (String name : world.clients().stream().distinct().toList()) {
            parties.computeIfAbsent(name, any -> new ArrayList<>()).add("clients");
        }
        return parties;
    }

    private static void placed(Map<String, List<String>> parties, List<String> places, String prefix) {
        for (int index = 0; index < places.size(); index++) {
            parties.computeIfAbsent(places.get(index), any -> new ArrayList<>()).add(prefix + index);
        }
    }

    private double across(double longitude) {
        return (longitude - west) / degrees;
    }

    private double down(double latitude) {
        return (north - latitude) / degrees;
    }
}
