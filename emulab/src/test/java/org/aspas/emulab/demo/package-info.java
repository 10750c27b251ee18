/** Tests of {@code org.aspas.emulab.demo}. */
package org.aspas.emulab.demo;
