/** Tests of {@code org.aspas.emulab.lab.cluster}. */
package org.aspas.emulab.lab.cluster;
